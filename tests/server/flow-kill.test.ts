import { flowKills } from '../helper/flow-kills.ts'

// A few rounds of what `tests/long/flows.test.ts` does.
flowKills(6, 2)
