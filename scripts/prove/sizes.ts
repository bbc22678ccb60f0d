/** Numbers of steps and requests for `npm test`: enough to notice a simple mistake within seconds. */
export const TEST_SIZES = { simulationSteps: 20_000, fuzzRequests: 500 } as const;

/** The same for `npm run prove`: enough to find rare mistakes within minutes. */
export const PROVE_SIZES = {
  simulationSteps: 1_000_000,
  fuzzRequests: 20_000,
  chaosRounds: 20,
  webhookShipments: 30,
  webhookKills: 3,
} as const;
