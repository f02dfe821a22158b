/* Writes the archive of a release and its SHA-256 into dist, or into the folder that is named. */
import path from 'node:path'
import { runnerImport } from 'vite'

const root = path.resolve(import.meta.dirname, '..', '..')
const { module } = await runnerImport(path.join(import.meta.dirname, 'release.ts'), { configFile: false, root })
const { file, sha256, bytes } = await module.makeRelease(root, path.resolve(root, process.argv[2] ?? 'dist'))
console.log(`${path.relative(root, file)}: ${(bytes / 1e6).toFixed(1)} MB, SHA-256 ${sha256}`)
