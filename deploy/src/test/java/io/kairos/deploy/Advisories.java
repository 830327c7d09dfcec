package io.kairos.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The list of security advisories in the tree, in a part of the form of OSV, and what it says of a
 * component.
 *
 * @param covers what the list covers and what it does not, for readers
 * @param refreshed when it was last compared with a database of advisories
 */
record Advisories(
    List<String> covers, String refreshed, List<Accepted> accepted, List<Advisory> advisories) {
  private static final long OLD_DAYS = 90;
  private static final Pattern PURL = Pattern.compile("pkg:maven/([^/]+)/([^@]+)@([^?#]+).*");

  /**
   * An advisory that does no harm here.
   *
   * @param name group and artifact, as {@code io.netty:netty-codec-http}
   * @param why for readers
   */
  record Accepted(String id, String name, String why) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Advisory(String id, String summary, List<Affected> affected) {
    /** As {@link Range#mendedIn}, for a component of this name. */
    Optional<String> mendedIn(String name, MavenVersion version) {
      return affected.stream()
          .filter(one -> one.named.ecosystem.equals("Maven"))
          .filter(one -> one.named.name.equals(name))
          .flatMap(one -> one.ranges.stream())
          .flatMap(range -> range.mendedIn(version).stream())
          .findFirst();
    }
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Affected(Named named, List<Range> ranges) {
    Affected(@JsonProperty("package") Named named, List<Range> ranges) {
      this.named = named;
      this.ranges = List.copyOf(ranges);
    }
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Named(String ecosystem, String name) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Range(List<Event> events) {
    /** The version that mends it, if this version is in the range; empty text when none does. */
    Optional<String> mendedIn(MavenVersion version) {
      boolean isAffected = false;
      String mend = "";
      for (Event event : events) {
        if (event.introduced != null
            && (event.introduced.equals("0")
                || version.compareTo(new MavenVersion(event.introduced)) >= 0)) {
          isAffected = true;
          mend = "";
        }
        if (event.fixed != null) {
          isAffected &= version.compareTo(new MavenVersion(event.fixed)) < 0;
          mend = event.fixed;
        }
        if (event.lastAffected != null) {
          isAffected &= version.compareTo(new MavenVersion(event.lastAffected)) <= 0;
        }
      }
      return isAffected ? Optional.of(mend) : Optional.empty();
    }
  }

  /** The beginning or the end of a range; events are in the order of their versions. */
  record Event(
      @Nullable String introduced,
      @Nullable String fixed,
      @JsonProperty("last_affected") @Nullable String lastAffected) {}

  static Advisories read(Path file) throws IOException {
    return new JsonMapper().readValue(file.toFile(), Advisories.class);
  }

  /** A warning about a list that was refreshed more than {@value #OLD_DAYS} days ago. */
  Optional<String> ageOn(LocalDate today) {
    return LocalDate.parse(refreshed).plusDays(OLD_DAYS).isBefore(today)
        ? Optional.of(
            "deploy/advisories.json was refreshed on %s, more than %d days ago: CONTRIBUTING.md says how"
                .formatted(refreshed, OLD_DAYS))
        : Optional.empty();
  }

  /**
   * The accepted advisories that affect none of the components, so that nothing is to be accepted.
   *
   * @param purls as in an SBOM
   */
  List<Accepted> unused(List<String> purls) {
    return accepted.stream()
        .filter(one -> purls.stream().noneMatch(purl -> affects(purl, one.name, one.id)))
        .toList();
  }

  /** True when the component has this name and is affected by this advisory. */
  private boolean affects(String purl, String name, String id) {
    Matcher component = PURL.matcher(purl);
    if (!component.matches() || !name.equals(component.group(1) + ":" + component.group(2))) {
      return false;
    }
    MavenVersion version = new MavenVersion(String.valueOf(component.group(3)));
    return advisories.stream()
        .filter(advisory -> advisory.id.equals(id))
        .anyMatch(advisory -> advisory.mendedIn(name, version).isPresent());
  }

  /**
   * One sentence for each advisory that affects the component and is not accepted.
   *
   * @param purl as in an SBOM; components of other ecosystems are affected by none
   */
  List<String> of(String purl) {
    Matcher component = PURL.matcher(purl);
    if (!component.matches()) {
      return List.of();
    }
    String name = component.group(1) + ":" + component.group(2);
    MavenVersion version = new MavenVersion(String.valueOf(component.group(3)));
    List<String> found = new ArrayList<>();
    for (Advisory advisory : advisories) {
      if (accepted.stream().anyMatch(one -> one.id.equals(advisory.id) && one.name.equals(name))) {
        continue;
      }
      advisory
          .mendedIn(name, version)
          .ifPresent(mend ->
              found.add(
                  "%s %s is affected by %s (%s), %s"
                      .formatted(
                          name,
                          component.group(3),
                          advisory.id,
                          advisory.summary,
                          mend.isEmpty() ? "which no version mends" : "mended in " + mend)));
    }
    return found;
  }
}
