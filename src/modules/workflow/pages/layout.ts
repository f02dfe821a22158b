import { layoutProcess } from 'bpmn-auto-layout'

/** Where a step or a line is drawn, and its name if that stands beside it. */
interface Drawn {
  label?: { bounds?: { x: number; width: number } }
}

/** A part of a model as the viewer's library reads it. */
export interface Part {
  $type: string
  id: string
  name?: string
  flowElements?: Part[]
  incoming?: Part[]
  outgoing?: Part[]
  sourceRef?: Part
  targetRef?: Part
  rootElements?: Part[]
  diagrams?: Part[]
  plane?: { planeElement?: Drawn[] }
}

/** Reads and writes models. */
export interface Moddle {
  fromXML(xml: string): Promise<{ rootElement: Part }>
  toXML(model: Part): Promise<{ xml: string }>
}

/** Writes at each step which lines begin and end there, which models may leave out and the layout goes by. */
function connect({ flowElements = [] }: Part): void {
  for (const line of flowElements.filter(one => one.sourceRef && one.targetRef)) {
    const { sourceRef, targetRef } = line
    if (sourceRef && !sourceRef.outgoing?.includes(line)) sourceRef.outgoing = [...(sourceRef.outgoing ?? []), line]
    if (targetRef && !targetRef.incoming?.includes(line)) targetRef.incoming = [...(targetRef.incoming ?? []), line]
  }
}

/** Where the first process of a model stands in it. */
export const processOf = ({ rootElements = [] }: Part): Part | undefined =>
  rootElements.find(one => one.$type === 'bpmn:Process')

/**
 * A model with a drawing: its own, or else one that is laid out for it.
 * @throws when the text is no model
 */
export async function drawable(moddle: Moddle, xml: string): Promise<Part> {
  const { rootElement } = await moddle.fromXML(xml)
  const isDrawn = rootElement.diagrams?.some(one => (one.plane?.planeElement?.length ?? 0) > 0)
  const process = processOf(rootElement)
  if (isDrawn || !process) return rootElement
  connect(process)
  const written = await moddle.toXML(rootElement)
  return (await moddle.fromXML(await layoutProcess(written.xml))).rootElement
}
