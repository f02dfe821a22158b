import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')

/** Where a build says what the licences of the packages in it are. */
export const licences = { fileName: 'LICENCES.md' }

/**
 * `import code from './x.ts?thread'`: a module with all it imports as one text, for a thread to run. A build gets the licences of
 * the packages in it as a file of its own.
 */
export const threads: Plugin = {
  name: 'threads',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('?thread')) return null
    const file = id.replace(/\?thread$/, '')
    this.addWatchFile(file)
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
    if (this.environment.mode === 'build') this.emitFile(licencesOf(path.basename(file, '.ts'), output))
    return { code: `export default ${JSON.stringify(output[0].code)}`, moduleType: 'js' }
  },
}

function licencesOf(name: string, output: Rolldown.RolldownOutput['output']): Rolldown.EmittedAsset {
  const made = output.find(({ fileName }) => fileName === licences.fileName)
  if (made?.type !== 'asset') throw new Error(`The build of ${name} says nothing of licences.`)
  return { type: 'asset', fileName: `LICENCES-${name}.md`, source: made.source }
}
