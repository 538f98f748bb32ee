// deskbell hooks: tells deskbell what happens in the sessions of OpenCode. It decides
// nothing, waits for nothing and prints nothing. "deskbell hooks install --tool opencode" made
// it and keeps it up to date, "deskbell hooks uninstall --tool opencode" takes it away.
import { spawn } from "node:child_process"
import { isMainThread } from "node:worker_threads"

const client = {{client}}
const wanted = new Set({{events}})

const parents = new Map() // of the sessions that are sub-agents
const calls = new Map() // of the dialogs that are open, by their ids
const last = new Map() // what was told of something last
const prompts = new Map() // when a prompt was sent, by its message, until its text is known
const summing = new Set() // the sessions that you had summed up

const cut = (text, most) => (typeof text === "string" ? text.slice(0, most) : undefined)

// once is false for what was told in these words before.
const once = (key, word) => {
  if (last.get(key) === word) return false
  if (last.size > 4096) last.clear()
  last.set(key, word)
  return true
}

// about is the input of a call, without what may be long.
const about = (input) => {
  const out = {}
  for (const [name, value] of Object.entries(input ?? {}).slice(0, 8)) {
    if (typeof value === "string") out[name] = cut(value, 400)
    if (name === "questions") out[name] = [{ question: cut(value?.[0]?.question, 400) }]
  }
  return out
}

// said is what an event tells, nothing where it tells nothing new.
const said = {
  "session.created": ({ info }) => ({ sessionID: info.id, directory: info.directory }),
  "session.status": ({ sessionID, status }) => {
    const word = status.type === "idle" ? "idle" : "busy" // it tries again by itself
    if (!once(sessionID, word)) return
    const summed = word === "idle" && summing.delete(sessionID)
    return { sessionID, status: summed ? "summed" : word }
  },
  "session.error": ({ sessionID, error }) => ({ sessionID, error: { name: error?.name, data: { statusCode: error?.data?.statusCode } } }),
  "session.compacted": ({ sessionID }) => ({ sessionID }),
  "message.updated": ({ info }) => {
    if (info.role !== "user" || !once(info.id, "")) return
    if (prompts.size > 64) prompts.clear()
    prompts.set(info.id, info.time?.created)
  },
  "message.part.updated": ({ part }) => {
    const { sessionID, state } = part
    if (part.type === "tool" && state.status !== "pending" && once(part.callID, state.status)) {
      return { event: "tool", sessionID, callID: part.callID, tool: part.tool, status: state.status, input: about(state.input) }
    }
    if (!prompts.has(part.messageID)) return
    const time = prompts.get(part.messageID)
    prompts.delete(part.messageID)
    if (part.type === "compaction") {
      if (!part.auto) summing.add(sessionID)
      return { event: "compacting", sessionID, time }
    }
    return !part.synthetic && { event: "prompt", sessionID, time, queued: last.get(sessionID) === "busy" }
  },
  "permission.asked": (p) => {
    calls.set(p.id, p.tool?.callID)
    return { sessionID: p.sessionID, id: p.id, callID: p.tool?.callID, permission: p.permission, patterns: p.patterns?.slice(0, 1).map((x) => cut(x, 400)) }
  },
  "question.asked": (q) => {
    calls.set(q.id, q.tool?.callID)
    return { sessionID: q.sessionID, id: q.id, callID: q.tool?.callID, questions: [{ question: cut(q.questions?.[0]?.question, 400) }] }
  },
  "permission.replied": (p) => answered(p),
  "question.replied": (q) => answered(q),
  "question.rejected": (q) => answered({ ...q, reply: "reject" }),
}

const answered = ({ sessionID, requestID, reply }) => {
  const callID = calls.get(requestID)
  calls.delete(requestID)
  return { sessionID, id: requestID, callID, reply: typeof reply === "string" ? reply : undefined }
}

const tell = (event, directory) => {
  const info = event.properties?.info
  if (event.type.startsWith("session.") && info?.parentID) parents.set(info.id, info.parentID)
  const text = said[event.type]?.(event.properties)
  const name = text?.event ?? event.type
  if (!text?.sessionID || !wanted.has(name)) return
  delete text.event
  let root = text.sessionID
  for (let i = 0; i < 8 && parents.has(root); i++) root = parents.get(root)
  if (root !== text.sessionID) text.agentID = text.sessionID
  text.sessionID = root
  text.directory ??= directory
  text.time ??= Date.now()
  text.hook_event_name = name
  const child = spawn(client, ["opencode"], { stdio: ["pipe", "ignore", "ignore"], windowsHide: true })
  child.on("error", () => {})
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify(text))
  child.unref()
}

export const Deskbell = async ({ directory }) => {
  if (isMainThread) return {} // opencode run, serve and their like: nobody sits there
  return {
    event: async ({ event }) => {
      try {
        tell(event, directory)
      } catch {}
    },
  }
}
