import { statSync } from 'node:fs'
import type { TestSequencer, TestSpecification } from 'vitest/node'

/** Files that take long, mostly by waiting: begun last they would be waited for alone. */
const LONG = [
  'server/embedded',
  'server/kill',
  'server/matrix-rows',
  'server/matrix-roles',
  'web/sentences-chrome',
  'e2e/journey',
  'e2e/smoke',
  'e2e/journey-english',
  'e2e/smoke-phone',
].map(name => `/tests/${name}.test.`)

const place = ({ moduleId }: TestSpecification): number => {
  const found = LONG.findIndex(name => moduleId.includes(name))
  return found < 0 ? LONG.length : found
}

/** The order in which files are tested: long ones first, then by their size. */
export class LongFirst implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    const sizes = new Map(files.map(file => [file, statSync(file.moduleId).size]))
    return files.toSorted((a, b) => place(a) - place(b) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
  }
  shard(files: TestSpecification[]): TestSpecification[] {
    return files
  }
}
