/** The address of a file that the build copies as it is. */
declare module '*?url' {
  const address: string;
  export default address;
}
