package io.kairos.edge.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kairos.edge.caller.Session;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A session as the text that is sealed. Short names, because a cookie has at most 4 KB. */
final class SessionText {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UNTIL = "u";
  private static final String TOKEN = "t";
  private static final String ISSUER = "i";
  private static final String SUBJECT = "s";
  private static final String ROLES = "r";

  private SessionText() {}

  static String of(Session session) {
    ObjectNode text = JSON.createObjectNode().put(UNTIL, session.until().getEpochSecond());
    switch (session) {
      case Session.OfToken(String sha256, Instant _) -> text.put(TOKEN, sha256);
      case Session.OfSubject(String issuer, String subject, Set<String> roles, Instant _) -> {
        text.put(ISSUER, issuer).put(SUBJECT, subject);
        new TreeSet<>(roles).forEach(text.putArray(ROLES)::add);
      }
    }
    return text.toString();
  }

  /** Empty for a text of another version. */
  static Optional<Session> read(String text) {
    JsonNode read;
    try {
      read = JSON.readTree(text);
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
    Instant until = Instant.ofEpochSecond(read.path(UNTIL).asLong());
    if (read.has(TOKEN)) {
      return Optional.of(new Session.OfToken(read.path(TOKEN).asText(), until));
    }
    if (!read.has(ISSUER)) {
      return Optional.empty();
    }
    Set<String> roles = new TreeSet<>();
    read.path(ROLES).forEach(role -> roles.add(role.asText()));
    return Optional.of(
        new Session.OfSubject(
            read.path(ISSUER).asText(), read.path(SUBJECT).asText(), roles, until));
  }
}
