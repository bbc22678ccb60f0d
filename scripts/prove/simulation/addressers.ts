import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import type { ClientContext } from './client-requests.ts';
import { codeOf } from './registry.ts';

/** Merchants that send a National Address late, or another one, and operators that let a shipment pass without a valid one. */
export class Addressers {
  readonly #context: ClientContext;
  readonly #tokenOf: (company: SimulatedCompany) => string;
  readonly #operatorToken: () => string;
  #count = 0;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string, operatorToken: () => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
    this.#operatorToken = operatorToken;
  }

  setAddress(company: SimulatedCompany, shipmentId: string): void {
    const code = codeOf(this.#context.dice.pick({ near: 3, far: 2, unknown: 1 }), this.#next());
    const path = `/v2/external/shipments/${shipmentId}/national-address`;
    this.#context.send({
      ...{ name: 'set address', method: 'PUT', path, company, token: this.#tokenOf(company) },
      ...{ headers: { 'if-match': '*' }, body: JSON.stringify({ shortAddress: code }) },
    });
  }

  override({ companyId }: Pick<SimulatedCompany, 'companyId'>, shipmentId: string): void {
    const { send, ledger } = this.#context;
    // Known before the answer: the service may have done it even if nobody hears of it.
    ledger.overridden.add(shipmentId);
    send({
      ...{ name: 'override address', method: 'POST', path: '/trpc/operations.shipments.overrideAddress' },
      token: this.#operatorToken(),
      body: JSON.stringify({ companyId, shipmentId, reason: 'The recipient has confirmed it' }),
    });
  }

  /** Lets everything pass that still waits, so that it can come to its end. */
  finish(): void {
    const { ledger, genesis } = this.#context;
    for (const company of genesis.companies)
      for (const id of ledger.shipmentsOf.get(company.companyId) ?? [])
        if (ledger.stateOf(id) === 'READY_FOR_DISPATCH' && ledger.isHeldBack(id)) this.override(company, id);
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}
