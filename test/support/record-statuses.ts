/* Preloaded into a sample: prints the status of each of its requests to standard error. */

const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  process.stderr.write(`status ${response.status}\n`);
  return response;
};
