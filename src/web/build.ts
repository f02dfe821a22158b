import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { HtmlTagDescriptor, Plugin, PluginOption, Rolldown, UserConfig } from 'vite'
import { definitions } from './definitions.ts'
import { paletteCss } from './palette.ts'
import { validators } from './screens/validators.ts'
import { slim } from './slim/slim.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

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
    const found = Object.values(bundle).find(item => item.type === 'chunk' && item.facadeModuleId?.endsWith(end))
    if (found) reach(bundle, found.fileName, seen)
  }
  return [...seen].slice(known.length).filter(file => !known.includes(file))
}

/** Writes into the sign-in page which files the application will need, so that it can fetch them while one types. */
function ahead(): Plugin {
  const describe = (bundle: Bundle): HtmlTagDescriptor => {
    const all = filesOf(bundle, ['src/web/index.html'])
    const staff = filesOf(
      bundle,
      ['chrome/StaffLayout.tsx', 'pages/home/HomePage.tsx', 'virtual:catalogue', 'screens/ResourceScreen.tsx'],
      all,
    )
    const candidate = filesOf(bundle, ['chrome/CandidateLayout.tsx'], all)
    const paths = (files: string[]): string[] => files.map(file => `/${file}`)
    const children = JSON.stringify({ all: paths(all), staff: paths(staff), candidate: paths(candidate) })
    return { tag: 'script', attrs: { type: 'application/json', id: 'ahead' }, children, injectTo: 'body' }
  }
  return {
    name: 'ahead',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle, filename }) => (bundle && filename.endsWith('login.html') ? [describe(bundle)] : []),
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

/** Build steps of other parts: the definitions one by one, and the compiled validators of their forms. */
const hooks: readonly PluginOption[] = [definitions(), validators()]

/**
 * What both pages share, and what the application needs before it knows who is there: one file each, because a large
 * file is compressed better than many small ones. All else is split by who needs it.
 */
const groups = [
  { name: 'start', test: /src\/web\/(session|trip)\.ts|preload-helper|palette\.css/, priority: 2 },
  { name: 'base', tags: ['$initial' as const], test: (id: string) => !/src\/web\/login|palette\.css/.test(id) },
  // Each is a few lines that look like those of the next: apart they would compress to three times the size.
  { name: 'signs', test: /@ant-design\/icons(-svg)?\/es\/(icons|asn)\//, minShareCount: 2 },
]

/** Everything Vite needs to build the browser application: two pages, the sign-in page and the application. */
export const webConfig: UserConfig = {
  root: here('.'),
  publicDir: here('./public'),
  plugins: [slim(), react(), palette(), ahead(), signInPage(), ...hooks],
  resolve: {
    alias: [
      { find: 'qs', replacement: here('./nested-query.ts') },
      { find: /^markdown-to-jsx(\/react)?$/, replacement: here('./plain-markdown.tsx') },
    ],
  },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    target: ['chrome87', 'safari14', 'firefox88', 'edge88'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: [here('./index.html'), here('./login.html')],
      treeshake: { moduleSideEffects: [{ test: PURE, sideEffects: false }] },
      output: { codeSplitting: { groups } },
    },
  },
}
