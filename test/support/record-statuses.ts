/* Loaded into a sample before it runs: says on the error output what each of its requests was answered. */

const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  process.stderr.write(`status ${response.status}\n`);
  return response;
};
