import { flowKills } from '../helper/flow-kills.ts'

// Two hundred processes with branches, several people, times and other processes, while servers are killed.
flowKills(200, 12)
