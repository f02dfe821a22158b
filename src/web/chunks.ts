import { build, type Plugin, type Rolldown, type UserConfig } from 'vite'

/** Modules from which the files of the application are told apart, by the end of their path. */
const entries = {
  signIn: 'src/web/login.html',
  application: 'src/web/index.html',
  /** Runs while the application is on its way, and must not wait for it. */
  preload: 'src/web/preload-requests.ts',
  /** The windows of candidates and of staff. */
  candidate: 'src/web/chrome/CandidateLayout.tsx',
  staff: 'src/web/chrome/StaffLayout.tsx',
  /** What candidates see first. */
  home: 'src/modules/desk/pages/candidate/HomePage.tsx',
  list: 'src/screens/ResourceScreen.tsx',
} as const

/** Lists the pages of candidates; each is a file of its own. */
const candidateRoutes = 'src/web/candidate-routes.ts'

/** Share of all pages above which a module is fetched with what every page needs. */
const NEARLY_ALL = 0.3

type Bundle = Rolldown.RolldownOutput['output']
type Entry = keyof typeof entries

/** A file and all files that it cannot run without. */
function reachedFrom(entry: Rolldown.OutputChunk, chunks: ReadonlyMap<string, Rolldown.OutputChunk>) {
  const reached = new Set([entry])
  for (const chunk of reached)
    for (const file of chunk.imports) {
      const next = chunks.get(file)
      if (next) reached.add(next)
    }
  return reached
}

const chunksOf = (output: Bundle): ReadonlyMap<string, Rolldown.OutputChunk> =>
  new Map(output.flatMap(item => (item.type === 'chunk' ? [[item.fileName, item] as const] : [])))

/** The parts that an entry fetches when they are asked for. */
function laterParts(output: Bundle, entry: string): readonly Rolldown.OutputChunk[] {
  const chunks = chunksOf(output)
  const begin = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(entry))
  if (!begin) throw new Error(`The build has no ${entry}.`)
  const files = [...reachedFrom(begin, chunks)].flatMap(chunk => chunk.dynamicImports)
  return files.flatMap(file => chunks.get(file) ?? [])
}

/** @throws when a part of the sign-in page would run the application, which has no place there */
function keepApart(output: Bundle): void {
  const chunks = chunksOf(output)
  for (const part of laterParts(output, entries.signIn))
    for (const { facadeModuleId, fileName } of reachedFrom(part, chunks))
      if (facadeModuleId?.endsWith(entries.application))
        throw new Error(`${part.fileName}, a part of the sign-in page, needs ${fileName}, which runs the application.`)
}

/** Modules by the entries, that is pages, windows and dialogs, which cannot be shown without them. */
function needsOf(output: Bundle): ReadonlyMap<string, ReadonlySet<string>> {
  const chunks = chunksOf(output)
  const needs = new Map<string, Set<string>>()
  for (const entry of chunks.values()) {
    const { facadeModuleId } = entry
    if (!facadeModuleId) continue
    for (const id of [...reachedFrom(entry, chunks)].flatMap(chunk => chunk.moduleIds))
      needs.set(id, (needs.get(id) ?? new Set()).add(facadeModuleId))
  }
  return needs
}

/** The pages of candidates. */
function pagesOf(context: Rolldown.ChunkingContext, needs: ReadonlyMap<string, unknown>): readonly string[] {
  const routes = [...needs.keys()].find(id => id.endsWith(candidateRoutes)) ?? ''
  const pages = context.getModuleInfo(routes)?.dynamicallyImportedIds ?? []
  if (pages.length === 0) throw new Error(`${candidateRoutes} names no pages.`)
  return [...pages]
}

/**
 * The file in which a module travels, by who needs it: whatever a rule takes, what that module imports is taken by the same
 * rule or by one above, so that no file leads back to one below it.
 * @param isFor whether one of the entries needs the module
 * @param isForCandidates whether a page of candidates needs it
 * @param share of all entries that need it
 */
function fileOf(isFor: (entry: Entry) => boolean, isForCandidates: boolean, share: number): string | null {
  if (isFor('signIn') || isFor('preload')) return 'start'
  if (isFor('application')) return 'base'
  if (isFor('candidate') && isFor('staff')) return 'frame'
  if (isFor('home') && (isFor('staff') || isFor('list') || share > NEARLY_ALL)) return 'pages'
  if (isForCandidates && isFor('staff')) return 'menus'
  if (isForCandidates && isFor('list')) return 'inputs'
  if (isFor('staff')) return 'shell'
  return isFor('list') ? 'lists' : null
}

/**
 * Decides which modules travel together. Left to itself the build makes a file of every few lines that two pages share:
 * seventy for a first list, each with a round trip to wait for, and together larger, because a large file is compressed better
 * than many small ones. So the build is made twice: what came of the first says which pages need a module, and a rule puts
 * those together that are needed by the same windows. What candidates need is never in a file with what only staff do.
 * @param config of the build, without this plugin
 */
export function chunks(config: UserConfig): Plugin {
  let needs: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  let all = 0
  let pages: readonly string[] = []
  let laterAtSignIn: readonly (string | null)[] = []
  const fileName = (id: string, context: Rolldown.ChunkingContext): string | null => {
    // Small and asked for first: it tells which definition comes next.
    if (id.endsWith('virtual:catalogue')) return 'catalogue'
    // A definition is fetched while the application is on its way, and runs with nothing but this.
    if (id.endsWith('fields/first-words.ts')) return 'start'
    const needed = needs.get(id)
    if (!needed || needed.size === 1) return null
    if (pages.length === 0) pages = pagesOf(context, needs)
    const list = [...needed]
    const isFor = (entry: Entry): boolean => list.some(one => one.endsWith(entries[entry]))
    // What the application needs, too, does not bring it the rest of what signing in needs.
    if (list.some(one => laterAtSignIn.includes(one)))
      return isFor('signIn') || isFor('application') ? 'start' : 'sign-in'
    return fileOf(
      isFor,
      pages.some(page => needed.has(page)),
      needed.size / all,
    )
  }
  const groups: Rolldown.CodeSplittingGroup[] = [
    { debugName: 'by need', name: fileName, priority: 2 },
    // Hundreds of small ones, shared by whichever pages happen to show the same sign.
    { name: 'signs', test: /@ant-design\/icons(-svg)?\/es\/(icons|asn)\//, minShareCount: 2, priority: 1 },
  ]
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: { rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups } } } },
    }),
    async buildStart() {
      const made = await build({
        ...config,
        configFile: false,
        logLevel: 'silent',
        build: { ...config.build, write: false, minify: false, cssMinify: false },
      })
      if (!('output' in made)) throw new Error('The build made nothing.')
      needs = needsOf(made.output)
      all = new Set([...needs.values()].flatMap(list => [...list])).size
      laterAtSignIn = laterParts(made.output, entries.signIn).map(({ facadeModuleId }) => facadeModuleId)
      pages = []
    },
    generateBundle(_options, bundle) {
      keepApart(Object.values(bundle) as Bundle)
    },
  }
}
