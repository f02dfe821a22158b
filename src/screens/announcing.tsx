import { Button } from 'antd'
import type { useAppProps } from 'antd/es/app/context'
import {
  type AnnounceDraft,
  type announcedShape,
  type Condition,
  matches,
  type Resource,
  readCall,
  type Wire,
} from '#engine'
import { call } from '../platform/http/browser/http.ts'
import { t } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import type { WireRow } from './fields/props.ts'
import type { Values } from './form-values.ts'
import { callAny, isPage } from './providers/any-resource.ts'
import { definitionOf } from './window/screens.ts'
import { ROW } from './workspace/mending.ts'

const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** What people decide about a change that others are told of. */
type Decision = 'cancel' | 'silent' | 'told'

/**
 * Asks, before a change is saved that other people are told of, whether they are to be.
 * @param body what is sent
 * @returns `silent` where nobody is told
 * @throws as `call`; a refusal has been shown
 */
export async function askAnnounced(
  resource: Resource,
  row: WireRow | null,
  body: Values,
  modal: useAppProps['modal'],
): Promise<Decision> {
  const { announce, path } = resource
  if (!announce || !row || !matches(row, announce.when as Condition)) return 'silent'
  const fields = Object.keys(body).filter(name => name !== 'version' && plain(body[name]) !== plain(row[name]))
  if (fields.length === 0) return 'silent'
  const { method, path: last } = readCall(announce.call)
  const { people } = await call<Wire<typeof announcedShape>>(method, `${path}/${last}`, {
    params: { id: idOf(resource, row), fields: fields.join() },
  })
  if (people === '') return 'silent'
  const isSure = await modal.confirm({
    title: t(announce.confirm, { n: people }),
    okText: t('确定'),
    cancelText: t('取消'),
  })
  return isSure ? 'told' : 'cancel'
}

/** The id of what was drafted last for those who are told of a row's changes; undefined where the person does not meet it. */
async function newestDraft(draft: AnnounceDraft, rowId: string): Promise<string | undefined> {
  const resource = await definitionOf(draft.of)
  const params = { [draft.by]: rowId, ...draft.where, descs: 'createTime', current: 1, size: 1 }
  const sent = await callAny(resource, 'list', { params })
  const [found] = isPage(sent) ? sent.records : sent
  return found && idOf(resource, found)
}

/** Says that a change has been saved, and leads to what was drafted for those who are told of it. */
export function tellDrafted(
  resource: Resource,
  row: WireRow,
  said: string,
  { message, go }: Pick<useAppProps, 'message'> & { go: (to: string) => void },
): void {
  const draft = resource.announce?.draft
  if (!draft) return void message.success(said)
  const id = idOf(resource, row)
  const key = `drafted ${id}`
  const open = async (): Promise<void> => {
    message.destroy(key)
    const list = draft.at.replace(':id', id)
    // Without it the list says what there is to say.
    const newest = await newestDraft(draft, id).catch(() => undefined)
    go(newest ? `${list}&${new URLSearchParams({ [ROW]: newest })}` : list)
  }
  void message.open({
    key,
    type: 'success',
    duration: 10,
    content: (
      <>
        {said}{' '}
        <Button type="link" size="small" onClick={() => void open()}>
          {t(draft.said)}
        </Button>
      </>
    ),
  })
}
