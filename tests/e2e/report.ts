import { afterEach } from 'vitest'
import { reportWorlds } from './world.ts'

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await reportWorlds(task.name)
})
