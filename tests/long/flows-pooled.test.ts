import { describe } from 'vitest'
import { flowKills } from '../helper/flow-kills.ts'
import { pgbouncer } from '../helper/pooler.ts'

// The same with servers behind a pooler in transaction mode, where PgBouncer is installed.
describe.skipIf(pgbouncer === undefined)('through a pooler', () => flowKills(200, 12, true))
