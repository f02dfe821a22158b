import { existsSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'vite'
import { webConfig } from './src/web/build.ts'
import { compress } from './src/web/compress.ts'
import { ascii } from './tools/build/ascii.ts'
import { builtIn } from './tools/build/built-in.ts'
import { featurePlacesPlugin } from './tools/build/feature-places.ts'
import { fonts } from './tools/build/fonts.ts'
import { refusalCodes } from './tools/build/refusal-codes.ts'
import { licences, threads } from './tools/build/threads.ts'

const root = import.meta.dirname

/**
 * Programs of the server: what listens, fills a database with demo data, looks through the audit log, looks at the definitions,
 * changes the keys, moves files, makes a demo an installation for use, gives somebody a new password, compares the database with the
 * definitions, looks whether a database has what is needed, takes backups and restores them.
 */
const programs = {
  server: 'src/server/server.ts',
  demo: 'src/server/demo.ts',
  audit: 'src/server/audit.ts',
  check: 'src/server/check.ts',
  files: 'src/server/files.ts',
  keys: 'src/server/keys.ts',
  'leave-demo': 'src/server/leave-demo.ts',
  password: 'src/server/password.ts',
  schema: 'src/server/schema.ts',
  conformance: 'src/server/conformance.ts',
  backup: 'src/server/backup.ts',
  restore: 'src/server/restore.ts',
}

const server: UserConfig = {
  root,
  plugins: [threads, fonts, featurePlacesPlugin(root), ascii],
  publicDir: false,
  ssr: { noExternal: [...builtIn] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    license: licences,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(programs).filter(([, file]) => existsSync(`${root}/${file}`))),
      // V8 keeps the source of a program as long as it runs.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: { jsdoc: false } },
    },
  },
}

/** Two faces of one project: the server's programs, and by default the pages. Tests have `vitest.config.ts`. */
export default defineConfig(({ mode }) => {
  if (mode === 'server') return server
  const address = `http://127.0.0.1:${process.env.PORT ?? 8000}`
  const proxy = { '/api': address, '^/public/(publicity|objection)': address }
  return {
    ...webConfig,
    build: { ...webConfig.build, license: licences },
    define: refusalCodes,
    plugins: [webConfig.plugins, compress],
    server: { ...webConfig.server, proxy },
  }
})
