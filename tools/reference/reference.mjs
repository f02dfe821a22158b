/* Writes the reference of the words of definitions, of parameters and of refusals, read from the program itself. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runnerImport } from 'vite'

const root = path.resolve(import.meta.dirname, '..', '..')
const folder = path.join(root, 'dist', 'reference')
const { module } = await runnerImport(path.join(import.meta.dirname, 'pages.ts'), { configFile: false, root })
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(module.pages(root))) {
  writeFileSync(path.join(folder, name), text)
  console.log(path.relative(root, path.join(folder, name)))
}
