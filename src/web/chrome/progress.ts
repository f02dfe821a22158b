/** Milliseconds before a call is long enough to be worth showing. */
const PATIENCE = 180

/** The slim bar at the top of the window: it runs while calls are under way. Answers the handler for their number. */
export function progressBar(): (running: number) => void {
  const bar = document.createElement('div')
  bar.className = 'progress'
  bar.setAttribute('aria-hidden', 'true')
  document.body.append(bar)
  let timer: ReturnType<typeof setTimeout> | undefined
  return running => {
    clearTimeout(timer)
    if (running === 0) bar.dataset.state = bar.dataset.state ? 'done' : ''
    else timer = setTimeout(() => Object.assign(bar.dataset, { state: 'running' }), PATIENCE)
  }
}
