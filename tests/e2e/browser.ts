import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'

const root = path.resolve(import.meta.dirname, '../..')
const installed = '/usr/bin/chromium'

/** Widths that pages are made for: a desk and a small phone. */
export const sizes = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>

/**
 * Starts a browser: the one that `CHROME` names, else Debian's, else the one that comes with the packages, which needs
 * nothing installed. `JUXIAN_BROWSER=bundled` asks for the last at once.
 * @param more what the browser is told besides
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const isBundled = process.env.JUXIAN_BROWSER === 'bundled'
  const found = isBundled ? undefined : [process.env.CHROME, installed].find(file => file && existsSync(file))
  const { executablePath, env } = found ? { executablePath: found, env: process.env } : await unpack()
  return chromium.launch({
    executablePath,
    env: env as Record<string, string>,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...more],
    handleSIGINT: false,
    timeout: 60_000,
  })
}

/** Unpacks the bundled browser with the libraries and the Chinese font it needs; a second time finds them there. */
async function unpack() {
  const folder = path.join(os.tmpdir(), `juxian-browser-${os.userInfo().uid}`)
  await mkdir(folder, { recursive: true })
  const before = { ...process.env }
  // Read while the package is loaded: where it unpacks to, and that it must bring its own libraries.
  process.env.TMPDIR = folder
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs20.x'
  const { default: bundled } = await import('@sparticuz/chromium')
  const executablePath = await bundled.executablePath()
  const env = { ...process.env, FONTCONFIG_PATH: await fonts(folder) }
  for (const name of ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  return { executablePath, env }
}

/** A font configuration with the Chinese font that tickets are printed in; answers its folder. */
async function fonts(folder: string): Promise<string> {
  const faces = ['400Regular', '700Bold'].map(face =>
    path.join(root, 'node_modules/@expo-google-fonts/noto-sans-sc', face),
  )
  const dirs = faces.map(face => `<dir>${face}</dir>`).join('')
  const cache = `<cachedir>${path.join(folder, 'font-cache')}</cachedir>`
  const place = path.join(folder, 'font-config')
  await mkdir(place, { recursive: true })
  await writeFile(path.join(place, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${dirs}${cache}</fontconfig>`)
  return place
}
