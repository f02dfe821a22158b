import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'

const root = path.resolve(import.meta.dirname, '../..')
const installed = '/usr/bin/chromium'

/** Widths that pages are made for: a desk and a small phone. */
export const sizes = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>

/**
 * Starts a browser: the one that `CHROME` names, else the one that comes with the packages, which needs nothing installed and, having
 * no window, half the processor time of a whole one; else Debian's, for machines that the package has none for.
 * @param more what the browser is told besides
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const isBundled = process.platform === 'linux' && process.arch === 'x64'
  const found = [process.env.CHROME, ...(isBundled ? [] : [installed])].find(file => file && existsSync(file))
  const { executablePath, env } = found ? { executablePath: found, env: process.env } : await unpack()
  return chromium.launch({
    executablePath,
    env: env as Record<string, string>,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...more],
    handleSIGINT: false,
    timeout: 180_000,
  })
}

/** The bundled browser with the libraries and the Chinese font it needs: unpacked by whoever is first, found by the others. */
async function unpack() {
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 8)
  const folder = path.join(os.tmpdir(), `juxian-browser-${os.userInfo().uid}-${checkout}`)
  if (!existsSync(folder)) await unpackTo(folder)
  const libraries = [path.join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(path.delimiter)
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: path.join(folder, 'font-config') }
  return { executablePath: path.join(folder, 'chromium'), env }
}

/** Makes a folder of the bundled browser. It is there when all of it is: others may start the browser at once. */
async function unpackTo(folder: string): Promise<void> {
  const own = await mkdtemp(`${folder}-`)
  const unpacking = promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'unpack-browser.mjs')], {
    // Where the package unpacks to, and that it must bring its own libraries.
    env: { ...process.env, TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
  })
  await Promise.all([unpacking, writeFontConfiguration(path.join(own, 'font-config'), folder)])
  await rename(own, folder).catch(async error => {
    // Somebody else was sooner.
    if (!existsSync(folder)) throw error
    await rm(own, { recursive: true })
  })
}

/**
 * Writes a font configuration with the Chinese font that tickets are printed in.
 * @param place the folder it is written to
 * @param folder where fonts that were found are noted
 */
async function writeFontConfiguration(place: string, folder: string): Promise<void> {
  const faces = ['400Regular', '700Bold'].map(face =>
    path.join(root, 'node_modules/@expo-google-fonts/noto-sans-sc', face),
  )
  const dirs = faces.map(face => `<dir>${face}</dir>`).join('')
  const cache = `<cachedir>${path.join(folder, 'font-cache')}</cachedir>`
  await mkdir(place)
  await writeFile(path.join(place, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${dirs}${cache}</fontconfig>`)
}
