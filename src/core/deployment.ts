/** The three kinds of deployment: a developer's machine, the merchants' sandbox, the real thing. */
export const DEPLOYMENTS = ['local', 'sandbox', 'production'] as const;
export type Deployment = (typeof DEPLOYMENTS)[number];

/** That of package.json, for a deployment whose variables name no `VERSION` of their own. */
export const PACKAGE_VERSION = '1.0.0';
