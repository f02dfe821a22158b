import { killRounds } from '../helper/kill-rounds.ts'

killRounds(Number(process.env.LONG_KILLS ?? 40))
