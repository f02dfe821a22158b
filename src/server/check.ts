import { resources, views } from '#resources'
import { sheets } from '#resources/sheets'
import { texts } from '#resources/texts'
import { workspaces } from '#resources/workspaces'
import { definitionProblems } from '../crud/definitions.ts'
import { addRefusals } from '../platform/http/server/refusal.ts'
import { extensions } from './extensions.ts'
import { refusals } from './refusals.ts'
import { rules } from './rules.ts'
import { sheetRulesList } from './sheets.ts'

// Looks at all definitions and rules together before a build is used. Ends with 1 when they do not fit together.
const files = import.meta.glob<Record<string, string>>(
  ['../../resources/english/*.json', '../platform/i18n/locales/*.json', '../platform/channels/*/*/english.json'],
  { eager: true, import: 'default' },
)
const english: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(files))
addRefusals(refusals)
const problems = definitionProblems(
  resources,
  rules,
  extensions.scopes,
  views,
  { sheets, rules: sheetRulesList },
  workspaces,
)
for (const problem of problems) console.error(problem)
const untranslated = texts().filter(text => !english[text])
if (untranslated.length > 0) console.warn(`These texts have no English yet: ${untranslated.join('、')}`)
process.exit(problems.length > 0 ? 1 : 0)
