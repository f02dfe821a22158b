import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)

/** Compresses what browsers download once and for all, so that the server only has to send it. */
export const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.keys(bundle).filter(file => /\.(js|css|svg|json|html|wasm)$/.test(file))
    await Promise.all(
      files.map(async file => {
        const bytes = await readFile(path.join(dir, file))
        if (bytes.length > 1024) await writeFile(path.join(dir, `${file}.br`), await brotli(bytes))
      }),
    )
  },
}
