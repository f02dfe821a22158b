import type { Rolldown } from 'vite'

const shell = /web\/chrome\/StaffLayout\.tsx$/
const lists = /src\/screens\/ResourceScreen\.tsx$/
const pages =
  /@tanstack\/(react-query|query-core)\/|antd\/es\/(button\/index|_util\/PurePanel)|src\/screens\/(window\/switches|parts\/answer-text|providers\/use-session|fields\/(SafeHtml|money|FileLink|attach|picture-file)|scroll-stop)|src\/(engine\/(format|password)|platform\/files\/picture-kind)\.ts|virtual:dictionary-names\//
const frame = /src\/(screens\/window\/(Backend|icons|sign-out)|web\/chrome\/Brand)\.tsx?$/
const layout = /web\/chrome\/Candidate(Layout|Nav)\.tsx$/
const inputs =
  /(antd\/es|@rc-component)\/(tooltip|space|input|checkbox|switch)\/|antd\/es\/(_util\/gapSize|grid\/hooks\/useBreakpoint)|platform\/http\/browser\/transfer\.ts|util\/es\/KeyCode/
const menus = /(antd\/es|@rc-component)\/(dropdown|overflow|menu)\//
const choices = /(antd\/es|@rc-component)\/(select|empty|flex|spin)\//

/** What the candidates' window imports of ours and something else does too: were it in the console's file, candidates would load that. */
function isOfBothWindows(id: string, context: Rolldown.ChunkingContext): boolean {
  const importers = context.getModuleInfo(id)?.importers ?? []
  const [own, others] = [importers.filter(one => layout.test(one)), importers.filter(one => !layout.test(one))]
  return /src\/(web|screens|modules|platform)\//.test(id) && own.length > 0 && others.length > 0
}

/**
 * Which modules travel together, those named with all they need; the first group that fits takes a module. Left to itself the
 * build makes a file of every few lines that two pages share: seventy for a first list, each with a round trip to wait for,
 * and together larger, because a large file is compressed better than many small ones.
 */
export const groups = [
  // Small and asked for first: it tells which definition comes next.
  { name: 'catalogue', test: /virtual:catalogue$/, priority: 9 },
  // What the sign-in page shares with the application.
  {
    name: 'start',
    test: /src\/platform\/http\/browser\/(session|trip|own-path|work)\.ts|preload-helper|palette\.css|@oxc-project.runtime/,
    priority: 10,
  },
  // What the application needs before it knows who is there.
  {
    name: 'base',
    tags: ['$initial' as const],
    test: (id: string) => !/src\/web\/(login|ask-early)|palette\.css/.test(id),
    priority: 8,
  },
  // What nearly every page needs, of visitors too, and small parts that pages of candidates have in common with lists.
  { name: 'pages', test: pages, minShareCount: 2, priority: 7 },
  { name: 'signs', test: /@ant-design\/icons(-svg)?\/es\/(icons|asn)\//, minShareCount: 2, priority: 6 },
  // What both windows of people who are signed in need, the console's and the candidates'.
  {
    debugName: 'frame',
    name: (id: string, context: Rolldown.ChunkingContext) =>
      frame.test(id) || isOfBothWindows(id, context) ? 'frame' : null,
    priority: 5,
  },
  // Parts of the first list that some pages of candidates need: in the console's file they would bring all of it there.
  { name: 'inputs', test: inputs, minShareCount: 2, priority: 4 },
  { name: 'menus', test: menus, minShareCount: 2, priority: 4 },
  { name: 'choices', test: choices, minShareCount: 2, priority: 3 },
  // The console's window, drawn while the generated lists are still on their way.
  { name: 'shell', test: shell, priority: 2 },
  { name: 'lists', test: lists, priority: 1 },
]
