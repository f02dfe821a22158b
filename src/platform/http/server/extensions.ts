/**
 * What earlier rooms ask of later modules, by name. The room that asks declares it here
 * (`declare module '…/http/server/extensions.ts' { interface Extensions { fileAccess: FileAccess } }`) and reads it from
 * `app.extensions`. Later modules provide it, and `src/server/extensions.ts` joins what they provide: an extension that nobody
 * provides does not compile.
 */
export interface Extensions {}

declare module 'fastify' {
  interface FastifyInstance {
    readonly extensions: Extensions
  }
}
