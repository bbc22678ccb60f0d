/** The three kinds of deployment: a developer's machine, the merchants' sandbox, the real thing. */
export const DEPLOYMENTS = ['local', 'sandbox', 'production'] as const;
export type Deployment = (typeof DEPLOYMENTS)[number];
