// Beside the one class that the service uses of this module.
declare module 'cloudflare:workers' {
  export abstract class WorkerEntrypoint {
    fetch(request: Request): Response | Promise<Response>;
  }
}
