import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')

/** Where a build says what the licences of the packages in it are. */
export const licences = { fileName: 'LICENCES.md' }

/** What the licences of the packages in each thread's text are, by the name of its file. */
const ofThreads = new Map<string, string | Uint8Array>()

/** Builds a module with all that it imports as one text. */
async function textOf(file: string): Promise<string> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: file,
      write: false,
      target: 'node20',
      license: licences,
      rolldownOptions: { output: { format: 'cjs' } },
    },
  })) as Rolldown.RolldownOutput
  const made = output.find(({ fileName }) => fileName === licences.fileName)
  if (made?.type === 'asset') ofThreads.set(`LICENCES-${path.basename(file, '.ts')}.md`, made.source)
  return output[0].code
}

const texts = new Map<string, Promise<string>>()

/** As {@link textOf}, built once for all that ask in this process. */
function keptTextOf(file: string): Promise<string> {
  const text = texts.get(file) ?? textOf(file)
  texts.set(file, text)
  return text
}

const pluginOf = (read: (file: string) => Promise<string>): Plugin => ({
  name: 'threads',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('?thread')) return null
    const file = id.replace(/\?thread$/, '')
    this.addWatchFile(file)
    return { code: `export default ${JSON.stringify(await read(file))}`, moduleType: 'js' }
  },
  // What is emitted before this moment a build for a server leaves out.
  generateBundle: {
    order: 'post',
    handler() {
      for (const [fileName, source] of ofThreads) this.emitFile({ type: 'asset', fileName, source })
    },
  },
})

/**
 * `import code from './x.ts?thread'`: a module with all it imports as one text, for a thread to run. A build gets the licences of
 * the packages in it as a file of its own.
 */
export const threads = pluginOf(textOf)

/** The same for tests, whose projects have the same sources. */
export const threadsOnce = pluginOf(keptTextOf)
