import { addRefusals } from '../../src/platform/http/server/refusal.ts'
import { refusals } from '../../src/server/refusals.ts'

// What a server knows from its start on, for tests of a function without one.
addRefusals(refusals)
