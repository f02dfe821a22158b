import { testLossOfPrimary } from '../helper/lost-primary.ts'

testLossOfPrimary([
  ['ends in order', hosts => hosts.primary.stop()],
  ['is frozen', hosts => hosts.primary.freeze()],
])
