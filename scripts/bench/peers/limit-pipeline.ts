/** Of each server the streams that are open and idle, at most as many as callers: opening one costs more than most queries. */
const idle = new Map<string, string[]>();

/** Asks libSQL at `url`, its `/v3/pipeline`, to execute statements, and gives the results of all of them. */
export async function execute<Result>(url: string, statements: readonly string[]): Promise<Result[]> {
  const batons = idle.get(url) ?? [];
  idle.set(url, batons);
  const requests = statements.map((stmt) => `{"type":"execute","stmt":${stmt}}`).join(',');
  const ask = (baton: string | undefined) =>
    fetch(url, { method: 'POST', body: `{"baton":${JSON.stringify(baton ?? null)},"requests":[${requests}]}` });
  const baton = batons.pop();
  let response = await ask(baton);
  if (response.status === 400 && baton !== undefined) {
    // Nobody asked for ten seconds: the server has ended them.
    batons.length = 0;
    await response.body?.cancel();
    response = await ask(undefined);
  }
  const answer = (await response.json()) as { baton: string; results: { response: { result: Result } }[] };
  if (typeof answer.baton === 'string') batons.push(answer.baton);
  return answer.results.map((one) => one.response.result);
}
