import { describe, expect, test } from "bun:test";
import { midTurnNotice, wakePrompt } from "../../src/text/mail.ts";
import { systemSection } from "../../src/text/system-section.ts";

const tool = (verb: string) => `thatch_chat_${verb}`;
const bytes = (text: string) => new TextEncoder().encode(text).length;

describe("what thatch adds to a model's context", () => {
  test("the system section is at most 1,200 bytes", () => {
    expect(bytes(systemSection("brook-1234", tool))).toBeLessThanOrEqual(1_200);
    expect(bytes(systemSection(null, tool))).toBeLessThanOrEqual(1_200);
  });

  test("a wake is at most 300 bytes and a notice 160, besides the names", () => {
    for (const count of [1, 2, 12_345]) {
      const mail = { count, senders: ["ada"] };
      expect(bytes(wakePrompt(mail, tool)) - 3).toBeLessThanOrEqual(300);
      expect(bytes(midTurnNotice(mail, tool)) - 3).toBeLessThanOrEqual(160);
    }
  });

  test("any number of senders adds at most five names", () => {
    const senders = Array.from({ length: 100 }, (_, index) => `name-${index}`);
    expect(wakePrompt({ count: 100, senders }, tool)).toContain(
      "from name-0, name-1, name-2, name-3, name-4 and 95 more.",
    );
  });

  test("one message is it, several are them", () => {
    expect(midTurnNotice({ count: 1, senders: ["ada"] }, tool)).toContain("shows it.");
    expect(midTurnNotice({ count: 2, senders: ["ada"] }, tool)).toContain("shows them.");
  });

  test("a session that left is named as such", () => {
    expect(midTurnNotice({ count: 1, senders: [null] }, tool)).toContain("1 new message from (left)");
  });
});
