/** How much `npm test` tries: enough to notice a plain mistake within seconds. */
export const TEST_SIZES = { simulationSteps: 20_000, fuzzRequests: 500 } as const;

/** How much `npm run prove` tries: enough to find what is rare, within minutes. */
export const PROVE_SIZES = {
  simulationSteps: 1_000_000,
  fuzzRequests: 20_000,
  chaosRounds: 20,
  webhookShipments: 30,
  webhookKills: 3,
} as const;
