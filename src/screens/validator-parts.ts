import equal from 'ajv/dist/runtime/equal'
import ucs2length from 'ajv/dist/runtime/ucs2length'

export { formats } from './validator-formats.ts'

const parts: Readonly<Record<string, unknown>> = {
  'ajv/dist/runtime/ucs2length': ucs2length,
  'ajv/dist/runtime/equal': equal,
}

/** What compiled validators ask for by name. @throws for a part they were not known to need. */
export function require(name: string): unknown {
  const part = parts[name] as { default?: unknown } | undefined
  if (!part) throw new Error(`A compiled validator needs ${name}`)
  // Generated code reads `.default`; the bundler may have unwrapped it already.
  return typeof part === 'function' ? Object.assign(part, { default: part }) : part
}
