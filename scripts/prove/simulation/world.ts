import { Dice } from '../../shared/dice.ts';
import { DatabaseServer, type ServerOptions, type WrittenRow } from '../../shared/memory/database-server.ts';
import { makeGenesis, SHARDS, type SimulatedCompany } from '../../shared/memory/genesis.ts';
import { uuidAt, wallOf } from '../../shared/memory/moments.ts';
import { checkAmendments } from './check/amendment-check.ts';
import { checkAnswer } from './check/answer-check.ts';
import { checkAttempts } from './check/attempt-check.ts';
import { checkCases } from './check/case-check.ts';
import { checkLaterCharges, GRACE_SECONDS } from './check/charge-check.ts';
import { checkClocks } from './check/clock-check.ts';
import { checkCollections } from './check/collection-check.ts';
import { checkCreations } from './check/creation-check.ts';
import { checkDeliveries } from './check/delivery-check.ts';
import { checkDispatch } from './check/dispatch-check.ts';
import { Ledger } from './check/ledger.ts';
import { checkLinks, checkRatings } from './check/link-check.ts';
import { checkProofs } from './check/proof-check.ts';
import { checkRecipients } from './check/recipient-check.ts';
import { checkResolutions } from './check/resolution-check.ts';
import { RuleBroken } from './check/rule-broken.ts';
import { checkShipments } from './check/shipment-check.ts';
import { CommittedUnit, WATCH } from './check/watched-rows.ts';
import { checkWindows } from './check/window-check.ts';
import { type Answer, type ClientContext, type ClientRequest, type SentRequest, senderOf } from './client-requests.ts';
import { Crowd } from './crowd.ts';
import { Network } from './network.ts';
import { Phones } from './phones.ts';
import { Receivers } from './receivers.ts';
import { type Owner, Schedule, type Task } from './schedule.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { Trace } from './trace.ts';
import { Outside } from './virtual-globals.ts';

export interface WorldOptions {
  readonly seed: number;
  /** A planted bug: see `ServerOptions`. */
  readonly rewrite?: ServerOptions['rewrite'];
  /** SQL that runs on each shard before anything else. */
  readonly spoil?: string | undefined;
  /** A planted bug in the answers of the service. */
  readonly distort?: ((ask: SentRequest, answer: Answer) => Answer) | undefined;
}

/** Processes at the same time. Each works as if it were the only one. */
const PROCESSES = 2;
const WORLD: Owner = { name: 'world', isDead: false, standsStillUntilMs: 0 };

/** A dearer tariff starts every 15 seconds, so that a locked price is soon another than the price of now. */
const LATER_TARIFFS = `with later (number) as (values (1), (2), (3), (4), (5), (6))
  insert into tariffs (version, effective_from, currency, base_amount, kilometre_amount, vat_rate, cancellation_amount, city_surcharges, created_at, cancellation_grace_seconds, amendment_free_meters)
  select version + number, ? + number * 15000000, currency, cast(base_amount + number as text), kilometre_amount, vat_rate, cancellation_amount, city_surcharges, created_at, cancellation_grace_seconds, 400
  from tariffs, later`;

/** How many companies need a National Address for each shipment. They have no sandbox. */
const REQUIRING = 2;
const REQUIRE_ADDRESSES =
  "insert into company_settings (company_id, approval_policy, address_policy) values (?, 'AUTOMATIC', 'REQUIRED')";

/** The service and its surroundings. One seed decides what happens. */
export class World {
  readonly seed: number;
  readonly schedule = new Schedule();
  readonly ledger = new Ledger();
  readonly trace = new Trace();
  readonly outside = new Outside();
  readonly servers: ReadonlyMap<string, DatabaseServer>;
  readonly network: Network;
  readonly processes: ServiceProcess[] = [];
  readonly context: ClientContext;
  readonly dice: Dice;
  /** The process or the world whose code is running. */
  running: Owner | undefined;
  /** How far the wall clock was moved forward. */
  leapMs = 0;
  readonly crowd: Crowd;
  readonly #receivers: Receivers;
  readonly #phones: Phones;
  readonly #genesis: ReturnType<typeof makeGenesis>;
  #started = 0;
  #failure: unknown;

  constructor({ seed, rewrite, spoil, distort }: WorldOptions) {
    this.seed = seed;
    this.dice = new Dice(seed);
    const chance = new Dice(seed ^ 0x5eed);
    const add = (line: string) => this.trace.add(line);
    this.servers = new Map(
      ['directory', ...SHARDS].map((id) => {
        const onCommit = (units: readonly (readonly WrittenRow[])[]) => this.#check(id, units);
        const kind = id === 'directory' ? 'directory' : 'shard';
        return [
          id,
          new DatabaseServer({ kind, id, dice: chance, onCommit, rewrite: kind === 'shard' ? rewrite : undefined }),
        ];
      }),
    );
    this.#genesis = makeGenesis(this.servers, chance, GRACE_SECONDS);
    this.servers.get('directory')?.run(LATER_TARIFFS, [Number(wallOf(0))]);
    for (const { companyId, shard } of this.#genesis.companies.slice(-REQUIRING)) {
      this.servers.get(shard)?.run(REQUIRE_ADDRESSES, [companyId]);
      this.ledger.requiring.add(companyId);
    }
    for (const id of SHARDS) this.servers.get(id)?.watch(`${spoil ?? ''};${WATCH}`);
    const { schedule, dice, servers } = this;
    this.network = new Network({ schedule, dice, servers, trace: add });
    const isCalm = () => this.network.isCalm;
    this.#receivers = new Receivers({ schedule, dice, ledger: () => this.ledger, trace: add, isCalm });
    this.#phones = new Phones({ schedule, dice, isCalm, ledger: () => this.ledger });
    const judge = (...[ask, answer]: Parameters<Parameters<typeof senderOf>[0]['judge']>) =>
      this.guard(() => checkAnswer(ask, answer, this.ledger));
    const send: (ask: ClientRequest) => void = senderOf({
      context: () => this.context,
      processes: this.processes,
      judge,
      distort,
    });
    this.context = {
      ...{ dice, schedule, ledger: this.ledger, genesis: this.#genesis, trace: add, isCalm, send },
      wallMs: () => Number(wallOf(schedule.nowMs + this.leapMs) / 1000n),
      newId: () => uuidAt(Math.floor(schedule.nowMs), dice),
      codeOn: (phone) => this.#phones.codeOn(phone),
      later: (name, delayMs, run) => void schedule.add(name, delayMs, WORLD, run),
    };
    this.crowd = new Crowd(
      this.context,
      (company) => this.#tokenOf(company),
      () => this.#operatorToken(),
    );
  }

  /** Starts the first processes and clients. Timers must already be virtual. */
  begin(): void {
    for (let slot = 0; slot < PROCESSES; slot += 1) this.startProcess(slot);
    this.crowd.settleIn();
  }

  /** The first rule that was broken, if any. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Starts a process in a slot and replaces the one that was there. */
  startProcess(slot: number): void {
    this.#started += 1;
    const owner: Owner = { name: `process ${this.#started}`, isDead: false, standsStillUntilMs: 0 };
    this.running = owner;
    const transportOf = (asking: Owner) => this.#receivers.transportOf(asking);
    const { schedule, dice, network } = this;
    const surroundings = {
      schedule,
      dice,
      network,
      config: this.#genesis.config,
      leapMs: () => this.leapMs,
      transportOf,
      messagesOf: (asking: Owner) => this.#phones.messagesOf(asking),
    };
    this.processes[slot] = startServiceProcess(owner, surroundings);
    this.running = undefined;
    this.trace.add(`${owner.name} starts`);
  }

  /** Runs the next task and everything that follows from it at once. False when no task is left or a rule is broken. */
  async step(): Promise<boolean> {
    const task = this.schedule.next();
    if (task === undefined || this.#failure !== undefined) return false;
    this.trace.add(`${task.atMs.toFixed(3)} ${task.owner.name} ${task.name}`);
    this.#run(task);
    do await allOfThisTurn();
    while (await this.outside.admitOne());
    this.running = undefined;
    return this.#failure === undefined;
  }

  /** Runs a check. A broken rule ends the world. */
  guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#failure ??= error;
    }
  }

  log(line: string): void {
    if (!line.includes('"level":"error"') || line.includes('"status":')) return;
    this.#failure ??= new RuleBroken('answer', line);
  }

  close(): void {
    for (const server of this.servers.values()) server.close();
  }

  #run(task: Task): void {
    this.running = task.owner;
    this.guard(() => task.run());
  }

  #check(shard: string, units: readonly (readonly WrittenRow[])[]): void {
    const now = this.context.wallMs() * 1000;
    this.guard(() => {
      for (const changes of units) {
        const unit = new CommittedUnit(shard, changes);
        checkClocks(unit, this.ledger, now);
        checkCreations(unit, this.ledger);
        checkShipments(unit, this.ledger);
        checkAmendments(unit, this.ledger);
        checkCollections(unit, this.ledger);
        checkAttempts(unit, this.ledger);
        checkResolutions(unit, this.ledger);
        checkProofs(unit, this.ledger);
        checkCases(unit, this.ledger);
        checkLaterCharges(unit, this.ledger);
        checkDispatch(unit, this.ledger);
        checkDeliveries(unit, this.ledger);
        checkLinks(unit, this.ledger);
        checkRatings(unit, this.ledger);
        checkRecipients(unit, this.ledger);
        checkWindows(unit, this.ledger);
      }
    });
  }

  readonly #tokens = new Map<string, { readonly token: string; readonly untilMs: number }>();

  #tokenOf(company: SimulatedCompany): string {
    return this.#kept(company.companyId, (nowMs) => this.#genesis.tokenOf(company, nowMs));
  }

  #operatorToken(): string {
    return this.#kept('operator', (nowMs) => this.#genesis.operatorToken(nowMs));
  }

  /** A token that is still valid for a while. */
  #kept(holder: string, issue: (nowMs: number) => string): string {
    const nowMs = this.context.wallMs();
    const known = this.#tokens.get(holder);
    if (known !== undefined && known.untilMs > nowMs) return known.token;
    const token = issue(nowMs);
    this.#tokens.set(holder, { token, untilMs: nowMs + TOKEN_MS });
    return token;
  }
}
const TOKEN_MS = 45 * 60_000;

function allOfThisTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
