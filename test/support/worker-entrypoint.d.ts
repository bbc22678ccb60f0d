// The service uses only this class of the module.
declare module 'cloudflare:workers' {
  export abstract class WorkerEntrypoint {
    fetch(request: Request): Response | Promise<Response>;
  }
}
