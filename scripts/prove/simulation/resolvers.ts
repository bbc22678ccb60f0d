import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import type { ClientContext } from './client-requests.ts';
import { pickupWindow } from './creations.ts';

const SHIPMENTS = '/v2/external/shipments';
/** Of the last deliveries, so that several returns are of the same one. */
const RETURNED_FROM = 6;

/** Merchants who decide on failed parcels and take parcels back, and drivers who try again. Sometimes two decide at once. */
export class Resolvers {
  readonly #context: ClientContext;
  readonly #tokenOf: (company: SimulatedCompany) => string;
  #returns = 0;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
  }

  /** Decides on a failed parcel of any company, because few wait. */
  resolve(): void {
    const { dice, ledger, genesis, send } = this.#context;
    const shipmentId = this.#someOf([...ledger.undecided.keys()]);
    const company = genesis.companies.find(({ companyId }) => companyId === ledger.shipment(shipmentId)?.companyId);
    if (company === undefined) return;
    const driver = genesis.drivers.find(({ driverId }) => driverId === ledger.shipment(shipmentId)?.namedDriverId);
    if (driver !== undefined && dice.roll() < 0.3) {
      const path = `/v2/driver/shipments/${shipmentId}/attempts`;
      send({ name: 'try again', method: 'POST', path, token: driver.token, body: '{}', shipmentId });
      if (dice.roll() < 0.5) return;
    }
    const body = JSON.stringify({ kind: dice.pick({ REDELIVER: 4, RETURN: 4, DISPOSE: 1 }) });
    const headers = dice.roll() < 0.2 ? { 'price-limit': '0' } : {};
    const path = `${SHIPMENTS}/${shipmentId}/resolutions`;
    send({ name: 'resolve', method: 'POST', path, token: this.#tokenOf(company), company, headers, body, shipmentId });
  }

  recall(): void {
    const { ledger, genesis, send } = this.#context;
    const carried = genesis.drivers
      .flatMap(({ driverId }) => [...ledger.driverShipments(driverId)])
      .filter((id) => ['PICKED_UP', 'OUT_FOR_DELIVERY'].includes(ledger.stateOf(id) ?? ''));
    const shipmentId = this.#someOf(carried);
    const company = genesis.companies.find(({ companyId }) => companyId === ledger.shipment(shipmentId)?.companyId);
    if (company === undefined) return;
    const [path, body] = [`${SHIPMENTS}/${shipmentId}/recalls`, JSON.stringify({ reasonCode: 'WRONG_ITEM' })];
    const headers = { 'if-match': '*' };
    send({ name: 'recall', method: 'POST', path, token: this.#tokenOf(company), company, headers, body, shipmentId });
  }

  /** Takes items of a delivery back, every other time twice at once. */
  takeBack(): void {
    const { dice, ledger, genesis, send } = this.#context;
    const shipmentId = this.#someOf(ledger.delivered.slice(-RETURNED_FROM));
    const company = genesis.companies.find(({ companyId }) => companyId === ledger.shipment(shipmentId)?.companyId);
    const had = ledger.quantities.get(shipmentId);
    if (company === undefined || had === undefined) return;
    const items = had.map((quantity, index) => ({ index, quantity: 1 + Math.floor(dice.roll() * quantity) }));
    const wanted = { reasonCode: 'CHANGED_MIND', items, ...pickupWindow(this.#context, company) };
    for (let times = dice.roll() < 0.5 ? 1 : 2; times > 0; times -= 1) {
      this.#returns += 1;
      const body = JSON.stringify({ ...wanted, externalReference: `return-${this.#returns}` });
      const path = `${SHIPMENTS}/${shipmentId}/returns`;
      send({ name: 'return', method: 'POST', path, token: this.#tokenOf(company), company, body });
    }
  }

  #someOf(ids: readonly string[]): string {
    return ids[Math.floor(this.#context.dice.roll() * ids.length)] ?? '';
  }
}
