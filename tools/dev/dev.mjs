/*
 * Server and pages with reload, in one process: Vite runs the server from its sources and starts it anew when one of them
 * changes, and serves the pages. The embedded PostgreSQL stays up meanwhile; calls wait until the new server answers.
 */
import path from 'node:path'
import { createServer, isRunnableDevEnvironment, loadConfigFromFile } from 'vite'

const root = path.resolve(import.meta.dirname, '..', '..')
const file = path.join(root, 'vite.config.ts')
const entry = path.join(root, 'tools/dev/server.ts')

/** One of the faces of vite.config.ts, read once: definitions that it imports are followed by its plugins, not by a restart. */
async function configOf(mode) {
  const found = await loadConfigFromFile({ command: 'serve', mode }, file, root, 'warn')
  return { ...found.config, configFile: false, mode }
}

const vite = await createServer({
  ...(await configOf('server')),
  appType: 'custom',
  server: { middlewareMode: true, ws: false, hmr: false },
  optimizeDeps: { noDiscovery: true },
})
const { ssr } = vite.environments
if (!isRunnableDevEnvironment(ssr)) throw new Error('Vite cannot run the server in this process.')

let app
let letGo
/** Settles when the server answers, or cannot be started as its sources are now. */
let ready = restart()

/** The program as its sources are now. */
function load() {
  return ssr.runner.import(entry)
}

async function restart() {
  const since = performance.now()
  try {
    const program = await load()
    letGo ??= await program.holdDatabase()
    await app?.close()
    app = undefined
    app = await program.start()
    console.log(`server started in ${((performance.now() - since) / 1000).toFixed(1)} s`)
  } catch (error) {
    vite.ssrFixStacktrace(error)
    console.error(error)
  }
}

const pages = await configOf('development')
const definitions = pages.plugins.flat(Number.POSITIVE_INFINITY).find(one => one?.name === 'definitions').api
definitions.follow(async () => (await load()).definitions)
const web = await createServer({
  ...pages,
  plugins: [pages.plugins, { name: 'wait-for-server', configureServer: holdCalls }],
})

/** Calls wait for the server that is being started. */
function holdCalls({ middlewares }) {
  middlewares.use('/api', async (_request, _response, next) => {
    await ready
    next()
  })
}

let timer
vite.watcher.on('all', (_event, changed) => {
  if (!ssr.moduleGraph.getModulesByFile(changed)?.size) return
  ssr.runner.clearCache()
  if (/^(schemas|resources)\b/.test(path.relative(root, changed))) definitions.changed()
  clearTimeout(timer)
  // Editors and version control write several files at once.
  timer = setTimeout(() => {
    ready = ready.then(restart)
  }, 50)
})

await web.listen()
web.printUrls()

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    process.once(signal, () => process.exit(1))
    await ready
    await app?.close()
    await letGo?.()
    process.exit(0)
  })
}
