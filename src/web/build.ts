import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { HtmlTagDescriptor, Plugin, Rolldown, UserConfig } from 'vite'
import { definitions } from '../screens/definitions.ts'
import { paletteCss } from '../screens/window/palette.ts'
import { antdStyles } from './antd-styles.ts'
import { chunks } from './chunks.ts'
import { contracts } from './contracts.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Asks for the files that come next while the application's own is still on its way. */
const PRELOAD_REQUESTS = here('./preload-requests.ts')

const PALETTE = 'virtual:palette.css'
/** Packages that Refine and RJSF pull in for features we do not use; none does anything by being imported. */
const PURE =
  /node_modules\/(papaparse|react-markdown|remark-[a-z]+|micromark[\w-]*|mdast-[\w-]+|unified|error-stack-parser|stackframe|sunflower-antd|@rc-component|@ant-design|i18next)\//

/** The colours of `palette.ts` as a style sheet, so that the sign-in page has them before any script runs. */
function palette(): Plugin {
  const id = `\0${PALETTE}`
  return {
    name: 'palette',
    resolveId: source => (source === PALETTE ? id : undefined),
    load: asked => (asked === id ? paletteCss() : undefined),
  }
}

type Bundle = Rolldown.OutputBundle

function reach(bundle: Bundle, file: string, seen: Set<string>): void {
  const chunk = bundle[file]
  if (chunk?.type !== 'chunk' || seen.has(file)) return
  seen.add(file)
  for (const css of chunk.viteMetadata?.importedCss ?? []) seen.add(css)
  for (const next of chunk.imports) reach(bundle, next, seen)
}

/** Every file that the modules ending in `ends` need, in the order of need, without those in `known`. */
function filesOf(bundle: Bundle, ends: readonly string[], known: readonly string[] = []): string[] {
  const seen = new Set(known)
  for (const end of ends) {
    const found = Object.values(bundle).find(
      item => item.type === 'chunk' && item.moduleIds.some(id => id.endsWith(end)),
    )
    if (found) reach(bundle, found.fileName, seen)
  }
  return [...seen].slice(known.length).filter(file => !known.includes(file))
}

/**
 * The files of the application by who needs them, in the order of need: all of `staff` is fetched while one signs in, the
 * window of the console alone (`desk`) where it is to be drawn while the page in it is still on its way.
 */
function describe(bundle: Bundle): Record<'all' | 'staff' | 'desk' | 'list' | 'candidate', string[]> {
  const all = filesOf(bundle, ['src/web/index.html'])
  const desk = filesOf(bundle, ['virtual:catalogue', 'chrome/StaffLayout.tsx'], all)
  const list = filesOf(bundle, ['screens/ResourceScreen.tsx'], [...all, ...desk])
  const home = filesOf(bundle, ['desk/pages/HomePage.tsx'], [...all, ...desk, ...list])
  const candidate = filesOf(bundle, ['chrome/CandidateLayout.tsx'], all)
  return { all, staff: [...desk, ...list, ...home], desk, list, candidate }
}

/** What a file runs on is there before it loads a part: only what the part needs besides is named with it, to be fetched at once. */
function preloads(): Plugin {
  let bundle: Bundle = {}
  return {
    name: 'preloads',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          resolveDependencies: (file, needed, { hostId }) => {
            const there = new Set<string>()
            reach(bundle, hostId, there)
            // Hundreds of such lists travel with the first page: in one order they compress.
            const rest = needed.filter(one => !there.has(one)).toSorted()
            return rest.length === 1 && rest[0] === file ? [] : rest
          },
        },
      },
    }),
    generateBundle: {
      order: 'pre',
      handler: (_options, made) => {
        bundle = made
      },
    },
  }
}

/** Bytes of a file on the wire, about. */
function weigh(item: Bundle[string] | undefined): number {
  const text = item?.type === 'chunk' ? item.code : (item?.source ?? '')
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length
}

function find(bundle: Bundle, isMeant: (chunk: Rolldown.OutputChunk) => boolean): Rolldown.OutputChunk {
  const found = Object.values(bundle).find(item => item.type === 'chunk' && isMeant(item))
  if (found?.type !== 'chunk') throw new Error('The build made no such file.')
  return found
}

/** The tag of the script that preloads: small, and run as soon as it is here. */
function preloadTag(bundle: Bundle): HtmlTagDescriptor {
  const { fileName } = find(bundle, chunk => chunk.facadeModuleId === PRELOAD_REQUESTS)
  return { tag: 'script', attrs: { type: 'module', async: true, crossorigin: true, src: `/${fileName}` } }
}

/**
 * Writes into both pages which files come next: the sign-in page fetches them while one types, for the application a script
 * of its own asks for them.
 */
function ahead(): Plugin {
  const json = (facts: Record<string, unknown>): HtmlTagDescriptor => {
    return { tag: 'script', attrs: { type: 'application/json', id: 'ahead' }, children: JSON.stringify(facts) }
  }
  return {
    name: 'ahead',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle, filename }) => {
        if (!bundle) return []
        const found = describe(bundle)
        const paths = (name: keyof typeof found) => found[name].map(file => `/${file}`)
        const tags = (list: HtmlTagDescriptor[]) => list.map(tag => ({ ...tag, injectTo: 'head' as const }))
        if (filename.endsWith('login.html'))
          return tags([json({ all: paths('all'), staff: paths('staff'), candidate: paths('candidate') })])
        const bytes = (name: keyof typeof found) => found[name].reduce((sum, file) => sum + weigh(bundle[file]), 0)
        return tags([
          json({
            own: bytes('all'),
            window: bytes('desk'),
            desk: paths('desk'),
            list: paths('list'),
            candidate: paths('candidate'),
          }),
          preloadTag(bundle),
        ])
      },
    },
  }
}

/** Everything that `file` runs at once or may load later, itself included. */
function loadable(bundle: Bundle, file: string, seen = new Set<string>()): Set<string> {
  const chunk = bundle[file]
  if (chunk?.type !== 'chunk' || seen.has(file)) return seen
  seen.add(file)
  for (const next of [...chunk.imports, ...chunk.dynamicImports]) loadable(bundle, next, seen)
  return seen
}

/**
 * Refuses a build in which a page would load what another page starts with: loading it runs it, and one page would act as the
 * other. The bundler makes such files when two pages share code of which one of them loads a part later.
 */
function onePageAtATime(): Plugin {
  return {
    name: 'one-page-at-a-time',
    generateBundle(_options, bundle) {
      const starts = Object.values(bundle).flatMap(item => (item.type === 'chunk' && item.isEntry ? [item] : []))
      for (const { fileName } of starts) {
        const reached = loadable(bundle, fileName)
        const other = starts.find(start => start.fileName !== fileName && reached.has(start.fileName))
        if (other)
          this.error(
            `${fileName} loads ${other.fileName}, which another page starts with (${other.facadeModuleId}). Import what the pages share at once instead of later, or move it to a module of its own.`,
          )
      }
    },
  }
}

/** The decoder of HEIC pictures stays a file of its own, unchanged; its licence goes with it. */
function decoderLicence(): Plugin {
  const text = createRequire(import.meta.url).resolve('libheif-js/libheif-wasm/LICENSE')
  return {
    name: 'decoder-licence',
    apply: 'build',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'LICENCE-libheif.txt', source: await readFile(text) })
    },
  }
}

/** In development `/login` is its own page too, as the server has it. */
function signInPage(): Plugin {
  return {
    name: 'sign-in-page',
    configureServer: server => {
      server.middlewares.use((request, _response, next) => {
        if (request.url && /^\/login(\?|$)/.test(request.url))
          request.url = request.url.replace('/login', '/login.html')
        next()
      })
    },
  }
}

const config: UserConfig = {
  root: here('.'),
  publicDir: here('./public'),
  plugins: [react(), palette(), signInPage(), definitions(), contracts()],
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    target: ['chrome87', 'safari14', 'firefox88', 'edge88'],
    // What antd's own styles take for granted, such as sides named by the direction of writing.
    cssTarget: ['chrome89', 'safari15', 'firefox88', 'edge89'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    // A page that names a picture has it as a file. Whether code has it so, too, would depend on which of the two is built first.
    assetsInlineLimit: file => (file.endsWith('.svg') ? false : undefined),
    rolldownOptions: {
      input: [here('./index.html'), here('./login.html'), PRELOAD_REQUESTS],
      treeshake: { moduleSideEffects: [{ test: PURE, sideEffects: false }] },
      // Hundreds of names travel with the first page, and digests do not compress: seven characters of each tell versions apart.
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
}

/** Everything Vite needs to build the browser application: two pages, the sign-in page and the application. */
export const webConfig: UserConfig = {
  ...config,
  plugins: [config.plugins, chunks(config), antdStyles(), preloads(), onePageAtATime(), decoderLicence(), ahead()],
}
