import { statSync } from 'node:fs'
import type { TestSequencer, TestSpecification } from 'vitest/node'

/** Files that take long, mostly by waiting: begun last they would be waited for alone. */
const LONG = [
  'src/platform/database/embedded/embedded',
  'tests/server/kill',
  'tests/server/matrix-rows',
  'tests/server/matrix-roles',
  'src/crud/table',
  'tests/server/backup',
  'tests/server/repeats',
  'tests/server/national',
  'tests/server/matrix-duties',
  'tests/server/demo',
  'tests/server/conformance',
  'tests/server/matrix-fields',
  'tests/server/old-installation',
  'tests/server/endpoints',
  'tests/add-resource',
  'tests/server/abuse-queries',
  'tests/server/abuse-insiders',
  'src/modules/archives/server/archives',
  'src/modules/reduction/server/reduction-choice',
  'tests/definitions-server',
  'tests/web/blade',
  'src/modules/workflow/pages/flow',
  'src/web/sentences-chrome',
  'tests/e2e/journey',
  'tests/e2e/smoke-phone',
  'tests/e2e/smoke',
  'tests/e2e/process',
  'tests/e2e/workspace',
  'tests/e2e/told',
  'tests/e2e/lists',
].map(name => `/${name}.test.`)

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
