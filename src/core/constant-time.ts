/** Whether two texts are the same. How long it takes tells nothing of `secret` but its length. */
export function isEqualInConstantTime(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length;
  for (let index = 0; index < secret.length; index += 1)
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index);
  return difference === 0;
}
