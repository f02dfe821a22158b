import { isCandidate, session } from './session.ts'

/** The files that each kind of person needs next, written into the page by the build. */
type Ahead = Readonly<Record<'desk' | 'candidate', readonly string[]>>

function ask(file: string): void {
  const link = document.createElement('link')
  // Not `modulepreload`: all but the first of those wait until the running script has ended.
  link.rel = 'preload'
  link.as = file.endsWith('.css') ? 'style' : 'script'
  link.crossOrigin = ''
  link.href = file
  document.head.append(link)
}

// The first module that runs: a slow processor needs as long to read the others as a slow line to bring what comes next.
const text = document.getElementById('ahead')?.textContent
if (text && session.token()) {
  const ahead = JSON.parse(text) as Ahead
  for (const file of isCandidate(session.get()) ? ahead.candidate : ahead.desk) ask(file)
}
