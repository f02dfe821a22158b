import { DRAFTS, session } from '../../../../platform/http/browser/session.ts'

/** What this device keeps of a drawing that has not been saved. */
export interface Draft {
  readonly xml: string
  readonly category: string
  /** The version of the model that it was drawn on; 0 for a new one. */
  readonly version: number
}

/** Milliseconds without a change after which a drawing is kept. */
const QUIET = 500

const nameOf = (modelId: string): string => `${DRAFTS}${session.get()?.user_id ?? ''}-flow-${modelId}`

/** What is kept of a model for the person who is signed in; undefined for nothing or nonsense. */
export function readDraft(modelId: string): Draft | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(nameOf(modelId)) ?? 'null') as Draft | null
    return found && typeof found.xml === 'string' && typeof found.version === 'number' ? found : undefined
  } catch {
    return undefined
  }
}

function write(name: string, draft: Draft): void {
  try {
    localStorage.setItem(name, JSON.stringify(draft))
  } catch {
    // No room, or forbidden: the page still says that it has not been saved.
  }
}

/** Keeps what is drawn on one page on this device. Nothing is written any more once it was dropped, until the next change. */
export class DraftKeeper {
  #changes = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Reads what has changed and was not dropped. */
  #take: (() => Promise<Draft>) | undefined
  readonly #modelId: string
  readonly #name: string

  constructor(modelId: string) {
    this.#modelId = modelId
    this.#name = nameOf(modelId)
  }

  /** How often the drawing has changed: two equal answers mean that nothing was drawn in between. */
  get changes(): number {
    return this.#changes
  }

  /**
   * Keeps a drawing that has changed as soon as it rests.
   * @param take reads it
   */
  changed(take: () => Promise<Draft>): void {
    const change = ++this.#changes
    this.#take = take
    clearTimeout(this.#timer)
    this.#timer = setTimeout(async () => {
      const draft = await take()
      // Whoever has signed out, or another person, keeps nothing of it.
      if (change === this.#changes && this.#name === nameOf(this.#modelId)) write(this.#name, draft)
    }, QUIET)
  }

  /** Forgets the draft: it has been saved, or is no longer wanted. */
  drop(): void {
    this.#changes++
    this.#take = undefined
    clearTimeout(this.#timer)
    localStorage.removeItem(this.#name)
  }

  /** A new model has been saved: what has been drawn on it since is kept under the id that it has now. */
  async moveTo(modelId: string): Promise<void> {
    const take = this.#take
    this.drop()
    if (take) write(nameOf(modelId), await take())
  }
}
