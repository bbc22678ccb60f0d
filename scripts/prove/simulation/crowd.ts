import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import { Addressers } from './addressers.ts';
import { Amenders } from './amenders.ts';
import type { ClientContext } from './client-requests.ts';
import { Creations } from './creations.ts';
import { Drivers } from './drivers.ts';
import { Followers } from './followers.ts';
import { Merchants } from './merchants.ts';
import { Operators } from './operators.ts';
import { Queues } from './queues.ts';
import { Recipients } from './recipients.ts';
import { Resolvers } from './resolvers.ts';
import { Sandboxes } from './sandboxes.ts';

/** The weight of each action. */
const DOINGS = {
  create: 14,
  repeat: 4,
  reuseKey: 2,
  reuseReference: 2,
  reuseLock: 2,
  read: 5,
  readForeign: 3,
  list: 3,
  look: 3,
  charges: 2,
  events: 2,
  cancel: 4,
  askAndCancel: 4,
  amend: 5,
  askAndAmend: 2,
  amendOrCancel: 2,
  setAddress: 6,
  overrideAddress: 1,
  decide: 4,
  resolve: 10,
  recall: 2,
  takeBack: 3,
  visit: 14,
  retryDispatch: 3,
  changeEndpoint: 1,
  replay: 2,
  makeLink: 4,
  follow: 4,
  revoke: 3,
  drive: 60,
  meddle: 2,
  help: 5,
  changeDriver: 1,
  losePhone: 1,
  tryLostPhone: 2,
  readQueue: 3,
  sandbox: 6,
} as const;

/** All clients of the service. */
export class Crowd {
  readonly creations: Creations;
  readonly sandboxes: Sandboxes;
  readonly merchants: Merchants;
  readonly #addressers: Addressers;
  readonly #amenders: Amenders;
  readonly #followers: Followers;
  readonly #recipients: Recipients;
  readonly #resolvers: Resolvers;
  readonly #drivers: Drivers;
  readonly #operators: Operators;
  readonly #queues: Queues;
  readonly #context: ClientContext;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string, operatorToken: () => string) {
    this.#context = context;
    this.creations = new Creations(context, tokenOf);
    this.sandboxes = new Sandboxes(context, tokenOf);
    this.merchants = new Merchants(context, tokenOf);
    this.#addressers = new Addressers(context, tokenOf, operatorToken);
    this.#amenders = new Amenders(context, tokenOf);
    this.#followers = new Followers(context, tokenOf);
    this.#recipients = new Recipients(context, this.#followers.links);
    this.#resolvers = new Resolvers(context, tokenOf);
    this.#drivers = new Drivers(context);
    this.#operators = new Operators(context, operatorToken);
    this.#queues = new Queues(context, operatorToken);
  }

  /** Gives each company its endpoints and its sandbox. */
  settleIn(): void {
    for (const company of this.#context.genesis.companies) {
      this.merchants.subscribe(company);
      this.merchants.subscribe(company);
      if (company.hasSandbox) this.sandboxes.bootstrap(company);
    }
  }

  /** Drivers finish their shipments. Operators take those of blocked drivers first, and go on reading their queues. */
  finish(): void {
    this.#operators.finish();
    this.#addressers.finish();
    this.#queues.read();
    this.#drivers.tryLostPhone();
    this.#drivers.finish();
  }

  /** Retries every creation without an answer, and releases every hold. */
  askAgain(): void {
    this.creations.decideAll();
    this.sandboxes.bringToAnEnd();
  }

  #playSandbox(): void {
    const { dice, genesis } = this.#context;
    const companies = genesis.companies.filter(({ hasSandbox }) => hasSandbox);
    const company = companies[Math.floor(dice.roll() * companies.length)];
    if (company !== undefined) this.sandboxes.play(company, this.merchants.shipmentOf(company));
  }

  /** One client takes one action. */
  stir(): void {
    const { dice, genesis } = this.#context;
    const company = genesis.companies[Math.floor(dice.roll() * genesis.companies.length)];
    if (company === undefined) return;
    const { merchants, creations } = this;
    const shipmentId = merchants.shipmentOf(company);
    const doing = dice.pick(DOINGS);
    switch (doing) {
      case 'create':
        return creations.create(company);
      case 'repeat':
      case 'reuseKey':
      case 'reuseReference':
      case 'reuseLock':
        return creations[doing]();
      case 'readForeign':
      case 'list':
      case 'events':
      case 'changeEndpoint':
      case 'replay':
        return merchants[doing](company);
      case 'amend':
      case 'askAndAmend':
      case 'amendOrCancel':
        if (shipmentId !== undefined) this.#amenders[doing](company, shipmentId);
        return;
      case 'setAddress':
        if (shipmentId !== undefined) this.#addressers.setAddress(company, shipmentId);
        return;
      case 'overrideAddress':
        if (shipmentId !== undefined) this.#addressers.override(company, shipmentId);
        return;
      case 'decide':
        return this.#amenders.decide(company);
      case 'resolve':
      case 'recall':
      case 'takeBack':
        return this.#resolvers[doing]();
      case 'visit':
        return this.#recipients.visit();
      case 'follow':
      case 'revoke':
        return this.#followers[doing]();
      case 'drive':
        return this.#drivers.work();
      case 'help':
        if (shipmentId !== undefined) this.#operators.help(shipmentId);
        return;
      case 'changeDriver':
        return this.#operators.changeDriver();
      case 'losePhone':
        return this.#operators.losePhone();
      case 'tryLostPhone':
        return this.#drivers.tryLostPhone();
      case 'readQueue':
        return this.#queues.read();
      case 'meddle':
        return this.#drivers.meddle(shipmentId);
      case 'sandbox':
        return this.#playSandbox();
      case 'makeLink':
        if (shipmentId !== undefined) this.#followers.makeLink(company, shipmentId);
        return;
      default:
        if (shipmentId !== undefined) merchants[doing](company, shipmentId);
    }
  }
}
