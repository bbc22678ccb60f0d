/**
 * Open idle streams by server, at most one for each concurrent caller. Opening a stream costs more than most queries.
 */
const idle = new Map<string, string[]>();

/** Executes statements with libSQL's `/v3/pipeline` at `url`, and returns the results. */
export async function execute<Result>(url: string, statements: readonly string[]): Promise<Result[]> {
  const batons = idle.get(url) ?? [];
  idle.set(url, batons);
  const requests = statements.map((stmt) => `{"type":"execute","stmt":${stmt}}`).join(',');
  const ask = (baton: string | undefined) =>
    fetch(url, { method: 'POST', body: `{"baton":${JSON.stringify(baton ?? null)},"requests":[${requests}]}` });
  const baton = batons.pop();
  let response = await ask(baton);
  if (response.status === 400 && baton !== undefined) {
    // The stream was idle for ten seconds, so the server has closed it.
    batons.length = 0;
    await response.body?.cancel();
    response = await ask(undefined);
  }
  const answer = (await response.json()) as { baton: string; results: { response: { result: Result } }[] };
  if (typeof answer.baton === 'string') batons.push(answer.baton);
  return answer.results.map((one) => one.response.result);
}
