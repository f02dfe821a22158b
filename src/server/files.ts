import { readConfig } from '../platform/config/config.ts'
import { adoptPlace, type MoveRoom, moveFiles, removeMoved, tellStore } from '../platform/files/move.ts'
import { placesOf } from '../platform/files/storage.ts'
import { buildApp } from './app.ts'

// Tells where the files of the installation are: `npm run files`. `-- move` brings them from their folder into the bucket of the
// S3_ variables, `-- adopt` makes the place of this process theirs when the old one is lost. Ends with 1 when nothing was done.

const usage = [
  'npm run files                    where the files are, and how many',
  'npm run files -- move            brings them from the folder into the bucket of the S3_ variables, while servers run',
  'npm run files -- move --remove   removes those of the folder, once all are in the bucket',
  'npm run files -- adopt           takes this folder or bucket instead of one that is lost; --yes when files are missing in it',
].join('\n')

const [command = 'tell', ...rest] = process.argv.slice(2)

/** Does what was asked for and answers whether it was done. */
async function run(room: MoveRoom): Promise<boolean> {
  if (command === 'adopt') return adoptPlace(room, rest.includes('--yes'))
  if (command === 'move') await (rest.includes('--remove') ? removeMoved(room) : moveFiles(room))
  else await tellStore(room)
  return true
}

const config = readConfig()
if (!['tell', 'move', 'adopt'].includes(command) || config.bladeApi) {
  console.log(config.bladeApi ? 'This installation is a gateway and keeps no files.' : usage)
  process.exitCode = 1
} else {
  const app = await buildApp({ ...config, demo: false, jobs: false, checksFiles: false })
  const { db, direct, now } = app
  try {
    const isDone = await run({ db, direct, now, places: placesOf(config), tell: line => console.log(line) })
    if (!isDone) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    await app.close()
  }
}
