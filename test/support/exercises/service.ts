import { addCompany } from '../../../scripts/shared/companies.ts';
import type { Environment, OwnEnvironment } from '../../../scripts/shared/connection.ts';
import { basic, postForm } from '../oauth.ts';
import type { Exercises } from './exercise.ts';
import type { FailingScene } from './scene.ts';

const GRANT = { grant_type: 'client_credentials' };

/** How to cause each status of operations that are not procedures: OAuth, health and readiness. */
export function serviceExercisesOf(name: string, scene: FailingScene): Exercises {
  const { environment } = scene;
  const get = (path: string): Exercises =>
    new Map([
      [200, () => environment.fetch(path)],
      [405, () => environment.fetch(path, { method: 'DELETE' })],
    ]);
  const table: Readonly<Record<string, () => Exercises>> = {
    'oauth.token': () =>
      new Map([...formExercises('/oauth/token', GRANT, scene), [403, () => useSuspended(environment)]]),
    'oauth.revoke': () => formExercises('/oauth/revoke', { token: 'abc' }, scene),
    'oauth.metadata': () => get('/.well-known/oauth-authorization-server'),
    'oauth.keys': () => get('/.well-known/jwks.json'),
    'service.health': () => get('/health'),
    'service.ready': () => new Map([...get('/ready'), [503, () => scene.failing.fetch('/ready')]]),
  };
  return table[name]?.() ?? new Map();
}

function formExercises(path: string, form: Record<string, string>, { environment, failing }: FailingScene): Exercises {
  const [company] = environment.companies;
  const good = basic(company);
  return new Map([
    [200, () => postForm(environment, path, form, good)],
    [400, () => postForm(environment, path, {}, good)],
    [401, () => postForm(environment, path, form)],
    [405, () => environment.fetch(path)],
    [413, () => postForm(environment, path, { ...form, padding: 'x'.repeat(9000) }, good)],
    [
      415,
      () =>
        environment.fetch(path, {
          method: 'POST',
          body: '{}',
          headers: { ...good, 'content-type': 'application/json' },
        }),
    ],
    [429, () => useOften(failing, path, form)],
    [503, () => useWithoutDirectory(failing, path, form)],
  ]);
}

/** The client of a company that operators have suspended. */
async function useSuspended(environment: Environment): Promise<Response> {
  const company = await addCompany(environment);
  const insert =
    "insert into company_suspensions (company_id, version, since, suspended_by, reason) values (?, 1, 0, 'operator', 'test')";
  await environment.sql('directory', insert, [company.companyId]);
  return postForm(environment, '/oauth/token', GRANT, basic(company));
}

/** More requests than the failing environment allows. */
async function useOften(failing: OwnEnvironment, path: string, form: Record<string, string>): Promise<Response> {
  const headers = basic({ clientId: `mcl_often_${path}`, clientSecret: 'x' });
  for (let index = 0; index < 3; index += 1) await postForm(failing, path, form, headers);
  return postForm(failing, path, form, headers);
}

/** Later exercises find the directory of the failing environment down. */
async function useWithoutDirectory(
  failing: OwnEnvironment,
  path: string,
  form: Record<string, string>,
): Promise<Response> {
  await failing.databases.directory.kill();
  return postForm(failing, path, form, basic({ clientId: `mcl_late_${path}`, clientSecret: 'x' }));
}
