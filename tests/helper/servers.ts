import { freePort } from './free-port.ts'
import { type Launched, launchServer } from './process.ts'
import { signInAt } from './sign-in-at.ts'
import type { Trial } from './trial.ts'

/** The first administrator's password in trials. */
export const administrator = 'Shan7-Hai9-Guan'

/** One of several servers on one database; its address stays when it is started anew. */
export interface Server {
  readonly url: string
  /** The process it is now. */
  now: Launched
  /** Kills it, and leaves it away. */
  kill(): Promise<void>
  /**
   * @param env what it is told besides
   * @param program what is started instead of the server of this folder
   */
  start(env?: Record<string, string>, program?: string): Promise<void>
}

/** Several servers on one database. */
export interface Servers {
  readonly all: readonly Server[]
  readonly urls: readonly string[]
  /** Headers of the administrator, signed in. */
  readonly headers: Record<string, string>
}

/**
 * Starts built servers, of a new installation and without demo data: one, and the others at once when it listens.
 * @param count how many
 * @param env what they are told, the address of the database among it
 */
export async function startServers(run: Trial, count: number, env: Record<string, string>): Promise<Servers> {
  const all: Server[] = []
  for (let at = 0; at < count; at++) all.push(await prepareServer(run, env))
  await all[0]?.start()
  await Promise.all(all.slice(1).map(one => one.start()))
  const urls = all.map(({ url }) => url)
  return { all, urls, headers: await signInAt(urls[0]!, 'admin', administrator) }
}

async function prepareServer(run: Trial, env: Record<string, string>): Promise<Server> {
  const port = await freePort()
  const told = { DATA_DIR: `${run.folder}/data`, CAPTCHA_MODE: 'false', ADMIN_PASSWORD: administrator, ...env }
  let now: Launched | undefined
  run.after(() => now?.stop('SIGKILL'))
  return {
    url: `http://127.0.0.1:${port}`,
    get now() {
      return now!
    },
    async start(more = {}, program) {
      now = launchServer({ ...told, ...more, PORT: String(port) }, undefined, program)
      await now.listening
    },
    async kill() {
      await now?.stop('SIGKILL')
    },
  }
}
