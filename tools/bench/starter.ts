import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import Fastify from 'fastify'
import { build } from 'vite'
import compress from '../../src/platform/http/server/compress.ts'
import gateway from '../../src/platform/http/server/gateway.ts'
import securityHeaders from '../../src/platform/http/server/helmet.ts'
import staticFiles from '../../src/platform/http/server/static.ts'
import { compress as compressFiles } from '../../src/web/compress.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Builds what Refine gives to begin with, as one would for production; answers the folder. */
export async function buildStarter(): Promise<string> {
  const outDir = path.join(root, 'dist/bench/starter')
  // What runs this says `test`, and then React would be the one for developers.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  await build({
    root: path.join(import.meta.dirname, 'starter'),
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    publicDir: false,
    plugins: [react(), compressFiles],
    build: { outDir, emptyOutDir: true, reportCompressedSize: false, chunkSizeWarningLimit: 5000 },
  })
  process.env.NODE_ENV = NODE_ENV
  // The product's server has a page of its own for this address.
  await copyFile(path.join(outDir, 'index.html'), path.join(outDir, 'login.html'))
  return outDir
}

/** The product's own pages, built. */
export const ownPages = path.join(root, 'dist/web')

/** What the product's own pages are told of the site, by language; the starter's have no place for it. */
async function siteOf(target: string): Promise<unknown> {
  const ask = async (language: string) => {
    const answer = await fetch(`${target}/api/public/site`, { headers: { 'accept-language': language } })
    return ((await answer.json()) as { data: unknown }).data
  }
  return { 'zh-CN': await ask('zh-CN'), en: await ask('en') }
}

/**
 * Serves a folder of pages as the product serves its own, with the calls passed on to the product. Both contestants are
 * served like this, so that nothing but the pages differs.
 */
export async function servePages(folder: string, target: string): Promise<{ url: string; close: () => Promise<void> }> {
  const app = Fastify({ exposeHeadRoutes: false })
  await app.register(securityHeaders)
  await app.register(compress)
  await app.register(gateway, { bladeApi: `${target}/api` })
  await app.register(staticFiles, { folder, site: () => siteOf(target) })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, close: () => app.close().then(() => undefined) }
}
