/**
 * Packages of the server that become part of its build instead of being installed beside it: hundreds of small modules, which take
 * longer to find than to run, and what few installations use.
 */
export const builtIn: readonly (string | RegExp)[] = ['kysely', 'hucre', 're2js', /^@opentelemetry\//]
