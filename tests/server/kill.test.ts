import { killRounds } from '../helper/kill-rounds.ts'

// Each attack once; `npm run test:long` makes them ten times each.
killRounds(4)
